extension GalleryPage {
    static let style = """
        body { font: 14px sans-serif; margin: 0 16px 64px; color: var(--ink); background: var(--pill); }
        form { position: sticky; top: 0; z-index: 1; background: var(--pill); padding: 6px 0; display: flex; flex-wrap: wrap; gap: 4px; }
        fieldset { border: 1px solid var(--line); border-radius: 6px; padding: 2px 8px; margin: 0; }
        legend { color: var(--faint); font-size: 11px; }
        label { margin-right: 6px; white-space: nowrap; font-size: 12px; }
        nav { line-height: 1.9; }
        a { color: var(--link); }
        h2 { border-top: 1px solid var(--line); padding-top: 12px; scroll-margin-top: 110px; }
        details { margin: 12px 0 2px; color: var(--faint); }
        summary { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; font-size: 12px; }
        .layouts { display: flex; flex-wrap: wrap; gap: 12px; align-items: flex-start; }
        .screen { border-radius: 8px; }
        figcaption { font-size: 11px; padding: 2px; }
        .refused { color: var(--n0); }
        .note { color: var(--faint); }
        .no-baselines .baseline, .no-entities .entity, .no-regions .region, .no-facts figcaption { display: none; }
        """

    /// The script that shows the chosen pictures. A row is as wide as its screen.
    static let script = #"""
        const lines = document.getElementById("lines").textContent.split("\n");
        const drawings = document.getElementById("drawings").textContent.split("\n");
        const chosen = name => new Set([...document.querySelectorAll(`input[name=${name}]:checked`)].map(box => box.value));

        function figure(drawing, style, target, variant, direction) {
          const figure = document.createElement("figure");
          const box = document.createElement("div");
          box.className = style.plain ? "screen plain" : "screen";
          box.style.width = target.width + "px";
          const [facts, numbers] = drawing.split("|");
          box.innerHTML = numbers.split(" ").map(number => lines[parseInt(number, 36)]).join("\n");
          const caption = document.createElement("figcaption");
          caption.style.maxWidth = box.style.width;
          const mirrored = direction === "rtl" ? " rtl" : "";
          caption.textContent = `${style.name} ${target.name} ${variant}${mirrored}: ${facts}`;
          figure.append(box, caption);
          return figure;
        }

        const byWidth = targets => [...targets.keys()].sort((a, b) => targets[a].width - targets[b].width);

        function fill(layouts, choice) {
          const style = styles[layouts.dataset.style];
          const slots = layouts.dataset.slots.split(" ");
          const states = Number(layouts.dataset.states);
          layouts.replaceChildren();
          if (!choice.style.has(style.name)) return;
          for (const direction of choice.direction) for (const state of choice.state) {
            if (state === "expanded" && states === 1 && choice.state.size > 1) continue;
            byWidth(style.targets).forEach(place => {
              const target = style.targets[place];
              if (!choice.target.has(target.name)) return;
              style.variants.forEach((variant, number) => {
                if (!choice.variant.has(variant)) return;
                const row = place + (direction === "rtl" ? style.targets.length : 0);
                const slot = (row * style.variants.length + number) * states + (state === "expanded" ? states - 1 : 0);
                layouts.append(figure(drawings[slots[slot]], style, target, variant, direction));
              });
            });
          }
        }

        function show() {
          const choice = {};
          for (const name of ["style", "target", "variant", "state", "direction"]) choice[name] = chosen(name);
          document.documentElement.dataset.scheme = [...chosen("scheme")][0];
          for (const box of document.querySelectorAll("input[name=show]"))
            document.body.classList.toggle("no-" + box.value, !box.checked);
          for (const layouts of document.querySelectorAll(".layouts")) fill(layouts, choice);
        }

        document.querySelector("form").addEventListener("change", show);
        show();
        """#
}
