// Runs before the first paint: the right colours and language at once, and the texts on their way while the page's script still loads.
;(() => {
  const root = document.documentElement
  let language = null
  let scheme = null
  try {
    language = localStorage.getItem('lang')
    scheme = localStorage.getItem('scheme')
  } catch {
    // Storage may be switched off: the defaults do.
  }
  const dark = scheme === 'dark' || (scheme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  root.dataset.mantineColorScheme = dark ? 'dark' : 'light'
  root.lang = language === 'cn_zh' ? 'zh-CN' : 'en'
  for (const url of [`/locales/${language === 'cn_zh' ? 'cn_zh' : 'en'}/global.json`, '/settings.json']) {
    const link = document.createElement('link')
    link.rel = 'preload'
    link.as = 'fetch'
    link.crossOrigin = 'anonymous'
    link.href = url
    document.head.append(link)
  }
})()
