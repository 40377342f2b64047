// Applies the saved colour scheme before the first paint. Without this file, whoever chose another scheme than the
// system's would see the system's colours until the application runs. It is a file of its own, not a module, because
// modules run after the first paint, and the Content-Security-Policy forbids inline scripts. `lib/browser/scheme.ts` does the
// rest: it reads the same key and follows later changes.
;(() => {
  let saved = null
  try {
    saved = localStorage.getItem('scheme')
  } catch {
    // The browser forbids local storage: the system's scheme applies.
  }
  const system = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
  const scheme = saved === 'light' || saved === 'dark' ? saved : system
  document.documentElement.dataset.mantineColorScheme = scheme
  // The browser paints the empty page by this tag until the style sheets are there.
  document.querySelector('meta[name="color-scheme"]').content = scheme
})()
