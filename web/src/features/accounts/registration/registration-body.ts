import type { UserType } from '@waybill/contract/ground/enums/enums'
import { currentLanguage } from '../../../lib/i18n.ts'

type Values = { userType: UserType; companyName: string; registrationNumber: string; acceptTerms: boolean }

/** Converts a form of registration to the request. Only a company sends the company fields. */
export function prepareRegistration<V extends Values>(values: V) {
  const company = values.userType === 'corporate'
  return {
    ...values,
    language: currentLanguage(),
    companyName: company ? values.companyName : '',
    registrationNumber: company ? values.registrationNumber : '',
    acceptTerms: values.acceptTerms || undefined,
  }
}
