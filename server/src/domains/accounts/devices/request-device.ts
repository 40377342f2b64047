/** The device of a request. */
import type { FastifyRequest } from 'fastify'

/** The device that uses a session, for the list of devices. `id`: what the browser sends at every sign-in. */
export type Device = { ip: string; userAgent: string | null; id: string | null }

/** The device of a request. Browsers send a stored id; other programs are identified by their name alone. */
export function requestDevice(request: FastifyRequest): Device {
  const id = request.headers['x-device-id']
  return {
    ip: request.ip,
    userAgent: request.headers['user-agent']?.slice(0, 300) ?? null,
    id: typeof id === 'string' && /^[\w-]{16,64}$/.test(id) ? id : null,
  }
}
