// The length of every function of a TypeScript file, for the rules of check-structure.mjs.
import { parseSync } from 'oxc-parser'

const mostLines = 100
const mostLinesOfComponent = 150
const functionTypes = ['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']

/**
 * The functions of a file that are too long, as `{ name, lines, most }`. A function without a name gets that of the
 * variable or property that it is assigned to. A React component (a capital in a `.tsx`) may have 150 lines.
 */
export function longFunctions(path, text) {
  const lineCount = (node) => text.slice(node.start, node.end).split('\n').length
  const functions = []
  const visit = (node, name) => {
    if (Array.isArray(node)) for (const child of node) visit(child, name)
    if (typeof node?.type !== 'string') return
    // A short node contains no long function.
    const lines = lineCount(node)
    if (lines <= mostLines) return
    const ownName = node.id?.name ?? node.key?.name ?? name
    const most = path.endsWith('.tsx') && /^[A-Z]/.test(ownName) ? mostLinesOfComponent : mostLines
    if (functionTypes.includes(node.type) && lines > most) functions.push({ name: ownName, lines, most })
    for (const child of Object.values(node)) if (child && typeof child === 'object') visit(child, ownName)
  }
  if (text.split('\n').length > mostLines) visit(parseSync(path, text).program, '')
  return functions
}
