// Creates the icons of the installed app from the logo: `node scripts/make-icons.mjs`. Run it after a change of
// web/public/favicon.svg.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { root } from './workspace.mjs'

const sharp = createRequire(join(root, 'server/package.json'))('sharp')
const mark = readFileSync(join(root, 'web/public/favicon.svg'), 'utf8')
const folder = join(root, 'web/public/icons')

/** The logo without rounded corners, at 70 % on its own colour: systems crop a maskable icon to their own shape. */
const maskable = mark
  .replace(/ rx="6"/, '')
  .replace('<path ', '<path transform="translate(16 16) scale(.72) translate(-16 -16)" ')

const icons = [
  { name: 'icon-192.png', svg: mark, size: 192 },
  { name: 'icon-512.png', svg: mark, size: 512 },
  { name: 'icon-maskable-512.png', svg: maskable, size: 512 },
  { name: 'apple-touch-icon.png', svg: maskable, size: 180 },
]
for (const { name, svg, size } of icons) {
  await sharp(Buffer.from(svg), { density: 72 * (size / 32) })
    .resize(size, size)
    .png({ compressionLevel: 9, palette: true })
    .toFile(join(folder, name))
  console.log(name)
}
