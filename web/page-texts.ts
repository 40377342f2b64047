/**
 * Vite plugin: writes the texts that a page needs for its first render to `locales/<language>/<page>.json`, in addition
 * to `global.json`, which has all texts. All texts together are 59 kB (brotli), as much as React; a page needs 2 to
 * 12 kB of them. `src/lib/i18n.ts` loads the rest when a component needs a text that is not loaded, so a text that this
 * plugin overlooks costs time but is never missing.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin, Rolldown } from 'vite'

export type Texts = { [key: string]: string | Texts }
type Chunk = Pick<Rolldown.OutputChunk, 'code' | 'imports' | 'dynamicImports'>

const languages = ['en', 'cn_zh']
const toFile = (language: string, name: string) => `locales/${language}/${name}.json`

/**
 * Returns the texts whose keys occur in `code`: as complete keys (`'nav.home'`), or as the prefix of a key that is
 * composed at run time (`` `errors.${code}` ``, `'errors.' + code`).
 */
export function pickTexts(texts: Texts, code: string): Texts {
  const keys = new Set(Array.from(code.matchAll(/(['"`])([a-z]\w*(?:\.[\w-]+)+)\1/gi), ([, , key]) => key))
  const beginnings = new Set(
    Array.from(code.matchAll(/`([a-z]\w*\.(?:[\w-]+\.)*)\$\{|['"`]([a-z]\w*\.(?:[\w-]+\.)*)['"`]\s*\+/gi), (match) =>
      String(match[1] ?? match[2]),
    ),
  )
  const isNeeded = (key: string) =>
    keys.has(key) || keys.has(key.replace(/_[a-z]+$/, '')) || [...beginnings].some((each) => key.startsWith(each))
  return filterTexts(texts, isNeeded)
}

function filterTexts(texts: Texts, isNeeded: (key: string) => boolean, path = ''): Texts {
  const picked: Texts = {}
  for (const [name, value] of Object.entries(texts)) {
    if (typeof value === 'string') {
      if (isNeeded(path + name)) picked[name] = value
      continue
    }
    const inner = filterTexts(value, isNeeded, `${path}${name}.`)
    if (Object.keys(inner).length > 0) picked[name] = inner
  }
  return picked
}

/** The code of an entry with everything that it imports, and with `parts` what those files import dynamically. */
function collectCode(chunks: ReadonlyMap<string, Chunk>, entry: string, parts: boolean): string {
  const files = new Set<string>()
  const add = (file: string) => {
    const chunk = chunks.get(file)
    if (!chunk || files.has(file)) return
    files.add(file)
    for (const name of chunk.imports) add(name)
  }
  add(entry)
  for (const name of chunks.get(entry)?.dynamicImports ?? []) add(name)
  if (parts) for (const file of [...files]) for (const name of chunks.get(file)?.dynamicImports ?? []) files.add(name)
  return [...files].map((file) => chunks.get(file)?.code ?? '').join('\n')
}

/** `lightPages`: entries whose lazy parts belong to the page; those of the application are other pages. */
export function pageTexts(lightPages: readonly string[]): Plugin {
  const read = (language: string) =>
    JSON.parse(readFileSync(join(import.meta.dirname, 'public', toFile(language, 'global')), 'utf8')) as Texts
  return {
    name: 'page-texts',
    // In development there are no chunks: a page gets all texts.
    configureServer(server) {
      server.middlewares.use((request, _response, next) => {
        request.url = request.url?.replace(/^(\/locales\/\w+\/)(?!global)[\w-]+\.json/, '$1global.json')
        next()
      })
    },
    generateBundle(_options, bundle) {
      const chunks = new Map<string, Rolldown.OutputChunk>()
      for (const output of Object.values(bundle)) if (output.type === 'chunk') chunks.set(output.fileName, output)
      for (const language of languages) {
        const texts = read(language)
        for (const { isEntry, name, fileName } of chunks.values()) {
          if (!isEntry) continue
          const code = collectCode(chunks, fileName, lightPages.includes(`${name}.html`))
          this.emitFile({
            type: 'asset',
            fileName: toFile(language, name),
            source: JSON.stringify(pickTexts(texts, code)),
          })
        }
      }
    },
  }
}
