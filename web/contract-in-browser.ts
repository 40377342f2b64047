import type { Plugin } from 'vite'

const inContract = /[\\/]contract[\\/]src[\\/]\w[\w-]*[\\/]\w[\w-]*\.ts$/

/**
 * What of an endpoint the browser never reads: it sends what the forms' schemas (body, query) made, and trusts what
 * comes back.
 */
const serverOnly = new Set(['response', 'params', 'summary'])

/**
 * The public tracking page must stay light and has no form over a schema: its calls carry what it read itself, and the
 * server checks.
 */
const withoutSchemas = /[\\/]tracking[\\/]tracking\.ts$/
const schemas = new Set(['body', 'query'])

type Node = { type: string; start: number; end: number; [key: string]: unknown }

/**
 * Leaves out of the browser's copy of the contract what only the server reads, and marks its constants as free of side
 * effects, so that the bundler drops every schema that no page uses. Types are not touched: they come from the sources.
 */
export function contractInBrowser(): Plugin {
  return {
    name: 'contract-in-browser',
    apply: 'build',
    transform: {
      order: 'post',
      filter: { id: inContract },
      handler(code, id) {
        const edits: { at: number; until: number; text: string }[] = []
        const program = this.parse(code) as unknown as { body: Node[] }
        for (const statement of program.body) {
          const declaration = (
            statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement
          ) as Node | null
          if (declaration?.type !== 'VariableDeclaration') continue
          for (const { init } of declaration.declarations as { init: Node | null }[]) {
            if (init?.type !== 'CallExpression') continue
            // A chain such as `z.string().check(…)` is only seen as pure from outside, hence the function around it.
            edits.push({ at: init.start, until: init.start, text: '/* @__PURE__ */ (() => ' })
            edits.push({ at: init.end, until: init.end, text: ')()' })
            if ((init.callee as Node & { name?: string }).name !== 'endpoint') continue
            const [shape] = init.arguments as (Node & { properties: (Node & { key: { name?: string } })[] })[]
            for (const property of shape?.properties ?? []) {
              const name = property.key?.name ?? ''
              if (!serverOnly.has(name) && !(withoutSchemas.test(id) && schemas.has(name))) continue
              const comma = code.slice(property.end).match(/^\s*,/)?.[0].length ?? 0
              edits.push({ at: property.start, until: property.end + comma, text: '' })
            }
          }
        }
        let slim = code
        for (const { at, until, text } of edits.sort((a, b) => b.at - a.at))
          slim = slim.slice(0, at) + text + slim.slice(until)
        return { code: slim, moduleSideEffects: false }
      },
    },
  }
}
