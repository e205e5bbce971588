// Style sheets of views that are not always needed: they are there before the view is drawn.

/** How long after a failure a sheet is asked for again, in milliseconds. */
const PAUSE = 2000;

/** Loads style sheets of the page by their names, each once. */
export async function styles(...names) {
  await Promise.all(names.map((name) => {
    const { href } = new URL(`${name}.css`, import.meta.url);
    if (document.querySelector(`link[rel="stylesheet"][href="${href}"]`)) return null;
    return new Promise((done) => {
      const link = document.createElement("link");
      link.rel = "stylesheet";
      link.href = href;
      link.onload = done;
      link.onerror = () => {
        link.remove();
        setTimeout(() => styles(name).then(done), PAUSE);
      };
      document.head.append(link);
    });
  }));
}
