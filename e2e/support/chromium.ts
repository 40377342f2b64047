import { existsSync } from 'node:fs'
import { join } from 'node:path'
import chromium from '@sparticuz/chromium'

/** No sandbox (tests may run as root), no background network access, no use of /dev/shm. */
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
 * A Chromium from an npm package if its build runs here (Linux on x64), else an installed one; CHROMIUM_PATH takes
 * precedence over both.
 */
export async function findChromium(): Promise<{ executablePath: string; args: string[] }> {
  // A Chinese font, as phones and computers have. Without one, every Chinese page would load the font from the server.
  if (process.platform === 'linux') process.env.FONTCONFIG_FILE ??= join(import.meta.dirname, 'fonts.conf')
  const executable = process.env.CHROMIUM_PATH
  if (executable) return { executablePath: executable, args }
  if (process.platform === 'linux' && process.arch === 'x64') {
    return { executablePath: await chromium.executablePath(), args }
  }
  const path = installed.find((path) => existsSync(path))
  if (!path) throw new Error('No Chromium for this machine: install one and set CHROMIUM_PATH to it.')
  return { executablePath: path, args }
}
