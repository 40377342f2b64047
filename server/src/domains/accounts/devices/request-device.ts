import type { FastifyRequest } from 'fastify'

/** Where a session is used: shown in the list of devices. `id`: what a browser calls itself at every sign-in. */
export type Device = { ip: string; userAgent: string | null; id: string | null }

/**
 * The device that a request comes from. Browsers send an id that they keep; other programs are known by their name
 * alone.
 */
export function requestDevice(request: FastifyRequest): Device {
  const id = request.headers['x-device-id']
  return {
    ip: request.ip,
    userAgent: request.headers['user-agent']?.slice(0, 300) ?? null,
    id: typeof id === 'string' && /^[\w-]{16,64}$/.test(id) ? id : null,
  }
}
