// Runs before the first paint, so that the chosen theme does not flash.
(function () {
  const root = document.documentElement;
  try {
    const theme = localStorage.getItem("skerry.theme");
    if (theme === "light" || theme === "dark") root.dataset.theme = theme;
  } catch { /* storage is forbidden: the system's theme counts */ }
  if (new URLSearchParams(location.search).has("wall")) root.classList.add("wall");
})();
