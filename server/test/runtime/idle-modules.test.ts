/** Packages that most requests do not need are loaded at their first use, so that an idle server uses less memory. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const app = join(import.meta.dirname, '../../src/app.ts')
const heavy = [
  ...['sharp', 'pdfkit', 'fontkit', 'linebreak', 'bwip-js', 'qrcode', 'hucre', '@aws-sdk/client-s3'],
  ...['mailgun.js', 'nodemailer', 'web-push', 'openid-client', 'malaysia-postcodes', 'i18n-iso-countries'],
]

/** The packages that a process has loaded after it ran `script`. */
async function loadedPackages(script: string): Promise<string[]> {
  const hooks = `
    import { registerHooks } from 'node:module'
    const packages = new Set()
    registerHooks({
      load(url, context, next) {
        const [, name] = /.*\\/node_modules\\/((?:@[^/]+\\/)?[^/]+)/.exec(url) ?? []
        if (name) packages.add(name)
        return next(url, context)
      },
    })
    ${script}
    console.log(JSON.stringify([...packages]))`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', hooks])
  return JSON.parse(stdout) as string[]
}

test('loads packages for print, pictures, spreadsheets, mail and places on demand', async () => {
  const loaded = await loadedPackages(`await import(${JSON.stringify(app)})`)
  expect(loaded).toContain('fastify')
  expect(loaded.filter((name) => heavy.includes(name))).toEqual([])
})
