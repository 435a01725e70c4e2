// Everything strict, bounded and total about JSON lives here.
