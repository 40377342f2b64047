import { existsSync } from 'node:fs'
import chromium from '@sparticuz/chromium'

/** No sandbox (tests may run as root), nothing that looks for the internet, the whole of /dev/shm unneeded. */
const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

const installed = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/**
 * A Chromium from an npm package where its build runs (Linux on x64), else one that is installed; CHROMIUM_PATH goes
 * before both.
 */
export async function findChromium(): Promise<{ executablePath: string; args: string[] }> {
  const executable = process.env.CHROMIUM_PATH
  if (executable) return { executablePath: executable, args }
  if (process.platform === 'linux' && process.arch === 'x64') {
    return { executablePath: await chromium.executablePath(), args }
  }
  const path = installed.find((path) => existsSync(path))
  if (!path) throw new Error('No Chromium for this machine: install one and set CHROMIUM_PATH to it.')
  return { executablePath: path, args }
}
