// Runs before the first paint: the right colours and language at once, and the texts and first answers on their way while the page's script still loads.
;(() => {
  const root = document.documentElement
  let language = null
  let scheme = null
  let token = null
  try {
    language = localStorage.getItem('lang')
    scheme = localStorage.getItem('scheme')
    token = localStorage.getItem('t')
  } catch {
    // Storage may be switched off: the defaults do.
  }
  const dark = scheme === 'dark' || (scheme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  root.dataset.mantineColorScheme = dark ? 'dark' : 'light'
  root.lang = language === 'cn_zh' ? 'zh-CN' : 'en'
  const texts = document.createElement('link')
  texts.rel = 'preload'
  texts.as = 'fetch'
  texts.crossOrigin = 'anonymous'
  texts.href = `/locales/${language === 'cn_zh' ? 'cn_zh' : 'en'}/global.json`
  document.head.append(texts)
  const settings = fetch('/settings.json')
  // Whoever awaits it hears of its failure.
  settings.catch(() => {})
  window.early = { settings, answers: {} }
  // What every page of somebody signed in asks for first; `web/src/lib/early.ts` hands the answers over.
  if (!token || /^\/(public|login|staff\/login|register|forgot-password|reset-password)(\/|$)/.test(location.pathname))
    return
  const calls = ['/api/customer/settings/general', '/api/customer/auth/profile']
  if (location.pathname === '/parcels/new' && !location.search) calls.push('/api/customer/address/default')
  const headers = { accept: 'application/json', 'accept-language': root.lang, authorization: `Bearer ${token}` }
  Object.assign(window.early, { token, language: root.lang })
  const read = settings.then((response) => response.clone().json())
  for (const path of calls) {
    window.early.answers[path] = read.then(({ apiHost = '' }) => fetch(apiHost + path, { headers })).catch(() => null)
  }
})()
