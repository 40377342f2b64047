import { Button } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { register } from '@waybill/contract/accounts/sign-in'
import type { UserType } from '@waybill/contract/ground/enums/enums'
import { useState } from 'react'
import { CheckboxField } from '../../../components/fields/checkbox-field.tsx'
import { PasswordField } from '../../../components/fields/password-field.tsx'
import { PhoneField } from '../../../components/fields/phone-field.tsx'
import { TextField } from '../../../components/fields/text-field.tsx'
import { useContractForm } from '../../../components/form/contract-form.ts'
import { DraftNotice } from '../../../components/form/draft-notice.tsx'
import { Stack } from '../../../components/layout/boxes.tsx'
import { call } from '../../../lib/api.ts'
import { useT } from '../../../lib/i18n.ts'
import { LegalLinks } from '../../legal/shared/legal-links.tsx'
import classes from '../profile/account.module.css'
import { FormPage } from '../sign-in/form-page.tsx'
import { pendingCode, rememberCode } from '../sign-in/pending-code.ts'
import { ProviderButtons } from '../sign-in/provider-buttons.tsx'
import { usePasswordsOn, useProviders } from '../sign-in/use-providers.ts'
import { AccountTypeFields } from './account-type-fields.tsx'
import { prepareRegistration } from './registration-body.ts'

const empty = {
  userType: 'customer' as UserType,
  name: '',
  email: '',
  phone: '',
  password: '',
  companyName: '',
  registrationNumber: '',
  acceptTerms: false,
}
const secret = ['password', 'acceptTerms'] as const

/** Registers a person or a company. Mails a code and a link for the next page. */
export function RegisterPage() {
  const t = useT()
  const navigate = useNavigate()
  const passwordsOn = usePasswordsOn()
  const providers = useProviders('customer')
  const [problem, setProblem] = useState<string | null>(null)
  const [initial] = useState(() => ({ ...empty, ...pendingCode('registration')?.profile }))
  const form = useContractForm({
    schema: register.body,
    initial,
    prepare: prepareRegistration,
    draftKey: 'register',
    secret,
    onSubmit: async (body, { password: _, acceptTerms: __, ...profile }) => {
      const next = new URLSearchParams(location.search).get('next') ?? undefined
      rememberCode('registration', { ...(await call(register, { body })), next, profile })
      await navigate({ to: '/register/verify' })
    },
  })
  const company = form.values.userType === 'corporate'
  return (
    <FormPage
      title={t('auth.registerTitle')}
      lead={t('auth.registerLead')}
      problem={problem}
      aside={
        <span>
          {t('auth.haveAccount')} <a href={`/login${location.search}`}>{t('auth.signIn')}</a>
        </span>
      }
    >
      <ProviderButtons side="customer" onProblem={setProblem} />
      {passwordsOn && providers.length > 0 && <p className={classes.or}>{t('auth.or')}</p>}
      {passwordsOn && (
        <Stack {...form.props} as="form">
          <DraftNotice form={form} />
          <AccountTypeFields
            userType={form.field('userType')}
            companyName={form.field('companyName')}
            registrationNumber={form.field('registrationNumber')}
          />
          <TextField
            field={form.field('name', t(company ? 'auth.contactName' : 'fields.personName'))}
            autoComplete="name"
          />
          <TextField field={form.field('email')} type="email" autoComplete="email" />
          <PhoneField field={form.field('phone')} help={t('auth.phoneHelp')} />
          <PasswordField field={form.field('password')} autoComplete="new-password" help={t('auth.passwordHelp')} />
          <CheckboxField field={form.field('acceptTerms', t('auth.acceptTerms'))} />
          <LegalLinks lead={t('legal.read')} kinds={['terms', 'privacy']} />
          <Button type="submit" variant="filled" size="md" loading={form.submitting}>
            {t('auth.registerAction')}
          </Button>
        </Stack>
      )}
    </FormPage>
  )
}
