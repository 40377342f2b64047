/** The address under which limits count a client without a session. */
import { isIPv6 } from 'node:net'

/**
 * The network of an IPv6 client, because a provider gives each customer at least 2^64 addresses. An IPv4 address, also
 * one written as IPv6, counts by itself.
 */
export function limitedAddress(ip: string): string {
  if (!isIPv6(ip)) return ip
  // The host of a URL has one spelling, in which IPv4 is hexadecimal.
  const { hostname } = new URL(`http://[${ip.replace(/%.*$/, '')}]`)
  const [start = [], end = []] = hostname
    .slice(1, -1)
    .split('::')
    .map((half) => half.split(':').filter((group) => group !== ''))
  const groups = [...start, ...Array.from({ length: 8 - start.length - end.length }, () => '0'), ...end]
  const [high = '', low = ''] = groups.slice(6)
  if (groups.slice(0, 6).join(':') !== '0:0:0:0:0:ffff') return `${groups.slice(0, 4).join(':')}::/64`
  return [...Buffer.from(high.padStart(4, '0') + low.padStart(4, '0'), 'hex')].join('.')
}
