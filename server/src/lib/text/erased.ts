/**
 * What replaces erased names and texts in the database. The words are chosen when somebody reads them, because the row
 * does not know the reader's language: in responses, spreadsheets, reports and all texts with variables.
 */
import type { Translate } from '@waybill/contract/ground/validation'

/** The marks of an account, of a user, and of any other text, such as a contact's name. */
export const erasedMarks = { customer: '⟦customer⟧', user: '⟦user⟧', text: '⟦text⟧' } as const

const marks = /⟦(customer|user|text)⟧/g

/** Whether a text may contain a mark: a quick check, because few do. */
export const mayHaveErased = (text: string): boolean => text.includes('⟦')

/** The text with the reader's words in place of the marks. It may be JSON: the words need no escaping. */
export const showErased = (text: string, t: Translate): string =>
  mayHaveErased(text) ? text.replace(marks, (_, kind: string) => t(`erased.${kind}`)) : text

/** The text with dashes in place of the marks, for print without a language. */
export const dashErased = (text: string): string => (mayHaveErased(text) ? text.replace(marks, '–') : text)
