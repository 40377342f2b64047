import type { TestApp } from './app.ts'

/**
 * Gives each request its own IP address, so that limits by address, which other tests check, do not stop it. Needs
 * TRUST_PROXY.
 */
export function useManyAddresses(test: TestApp): void {
  let place = 0
  const { call } = test
  test.call = (endpoint, options) => {
    place += 1
    const headers = { 'x-forwarded-for': `10.9.${place >> 8}.${place & 255}`, ...options?.headers }
    return call(endpoint, { ...options, headers })
  }
}
