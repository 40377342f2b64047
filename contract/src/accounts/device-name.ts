const browsers: readonly [RegExp, string][] = [
  [/Edg\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/Firefox\/|FxiOS\//, 'Firefox'],
  [/Chrome\/|CriOS\//, 'Chrome'],
  [/Safari\//, 'Safari'],
]
const systems: readonly [RegExp, string][] = [
  [/iPhone|iPad/, 'iOS'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X/, 'macOS'],
  [/Linux/, 'Linux'],
]

/** `Chrome, Windows`: a device as its owner would call it; null for what is no browser that we know. */
export function deviceName(userAgent: string | null): string | null {
  if (!userAgent) return null
  const named = [browsers, systems].map((known) => known.find(([pattern]) => pattern.test(userAgent))?.[1])
  return named.filter(Boolean).join(', ') || null
}
