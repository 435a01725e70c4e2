// ICU behind a header of our own. ICU renames its functions by macros, and its headers collide with the ICU inside
// Foundation, so nothing of ICU is visible here: plain functions over UTF-16, answers into the caller's arrays.
#pragma once
#include <stdint.h>
