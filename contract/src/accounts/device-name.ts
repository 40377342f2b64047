/** The name of a signed-in device, from its user agent. */
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

/** `Chrome, Windows`; null for a user agent that is not a known browser. */
export function deviceName(userAgent: string | null): string | null {
  if (!userAgent) return null
  const names = [browsers, systems].map((entries) => entries.find(([pattern]) => pattern.test(userAgent))?.[1])
  return names.filter(Boolean).join(', ') || null
}
