// Drawings on buttons, by their ids.

const space = "http://www.w3.org/2000/svg";
const paths = /** @type {Record<string, string>} */ ({
  scheme: "M12 3.5a8.5 8.5 0 1 0 0 17zM12 3.5a8.5 8.5 0 0 1 0 17",
  back: "M14.5 5l-7 7 7 7",
  stream: "M4 7h10M4 12h16M4 17h13",
  newest: "M6 10l6 6 6-6",
  search: "M10.5 4.5a6 6 0 1 0 .01 0zM15 15l5 5",
  more: "M12 5.5v.01M12 12v.01M12 18.5v.01",
  older: "M6 14.5l6-6 6 6",
  newer: "M6 9.5l6 6 6-6",
  unsearch: "M6 6l12 12M18 6L6 18",
  undate: "M6 6l12 12M18 6L6 18",
  leave: "M14 4.5h5v15h-5M11 8l-4 4 4 4M7 12h8.5",
  send: "M4.5 12L20 4.5 16 20l-4.2-6.2zM11.8 13.8L20 4.5",
});

/** @param {Document} document */
export function icons(document) {
  for (const [id, path] of Object.entries(paths)) {
    const svg = document.createElementNS(space, "svg");
    svg.setAttribute("viewBox", "0 0 24 24");
    svg.setAttribute("aria-hidden", "true");
    const line = document.createElementNS(space, "path");
    line.setAttribute("d", path);
    svg.append(line);
    document.getElementById(id)?.prepend(svg);
  }
  const close = document.querySelector("#about-what button");
  if (close) close.textContent = "✕";
}
