// Finds meaningless local names, for the rules of check-structure.mjs.
import { parseSync } from 'oxc-parser'

/** Participles: `found` may be a parcel, an order or a list. A noun says which. */
const participles = [
  ...['asked', 'begun', 'brought', 'chosen', 'counted', 'drawn', 'found', 'given', 'gone', 'held', 'kept', 'known'],
  ...['made', 'meant', 'moved', 'named', 'owed', 'put', 'said', 'seen', 'sent', 'shown', 'stored', 'taken', 'told'],
  ...['wanted', 'written'],
]
const mentioned = new RegExp(`\\b(${participles.join('|')})\\b`)

/** The names that a pattern binds: for `{ id, row: found = null }` they are `id` and `found`. */
function boundNames(pattern) {
  switch (pattern?.type) {
    case 'Identifier':
      return [pattern.name]
    case 'ObjectPattern':
      return pattern.properties.flatMap((property) => boundNames(property.value ?? property.argument))
    case 'ArrayPattern':
      return pattern.elements.flatMap(boundNames)
    case 'AssignmentPattern':
      return boundNames(pattern.left)
    case 'RestElement':
      return boundNames(pattern.argument)
    case 'TSParameterProperty':
      return boundNames(pattern.parameter)
    default:
      return []
  }
}

/** The names of all variables, parameters and functions of a file. Types and methods are ignored. */
function declaredNames(path, text) {
  const names = new Set()
  const visit = (node) => {
    if (Array.isArray(node)) for (const child of node) visit(child)
    if (typeof node?.type !== 'string' || node.type.startsWith('TSType')) return
    if (node.type === 'VariableDeclarator') for (const name of boundNames(node.id)) names.add(name)
    if (node.type === 'FunctionDeclaration' && node.id) names.add(node.id.name)
    if (/Function/.test(node.type)) for (const name of (node.params ?? []).flatMap(boundNames)) names.add(name)
    for (const child of Object.values(node)) if (child && typeof child === 'object') visit(child)
  }
  visit(parseSync(path, text).program)
  return names
}

/** The participles among the names that a file declares. */
export function participleNames(path, text) {
  if (!mentioned.test(text)) return []
  const names = declaredNames(path, text)
  return participles.filter((name) => names.has(name))
}

/** The names such as `linesOf` that a file declares: a function needs a verb (`readLines`), a table a noun. */
export function verblessNames(path, text) {
  if (!/[a-z]Of\b/.test(text)) return []
  return [...declaredNames(path, text)].filter((name) => /[a-z]Of$/.test(name))
}

/** The names such as `MAX_ROWS` that a file declares. */
export function upperCaseNames(path, text) {
  if (!/\b[A-Z][A-Z0-9_]{2,}\b/.test(text)) return []
  return [...declaredNames(path, text)].filter((name) => /^[A-Z][A-Z0-9_]{2,}$/.test(name))
}
