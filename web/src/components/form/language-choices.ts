import { locales } from '@waybill/contract/ground/constants'
import { languageNames } from '../../lib/i18n.ts'

/** The languages as choices of a field. */
export const languageChoices = locales.map((value) => ({ value, label: languageNames[value] }))
