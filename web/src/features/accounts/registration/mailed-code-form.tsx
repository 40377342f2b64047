import { Button } from '@mantine/core'
import { otp } from '@waybill/contract/ground/fields'
import * as z from 'zod/mini'
import { CodeField } from '../../../components/fields/code-field.tsx'
import type { ContractForm } from '../../../components/form/contract-form.ts'
import { Stack } from '../../../components/layout/boxes.tsx'
import { useT } from '../../../lib/i18n.ts'

/** The schema of the form below. */
export const mailedCodeForm = z.object({ code: otp })

/** The field for a code that was mailed to a new user, and its button. */
export function MailedCodeForm({ form }: { form: ContractForm<{ code: string }> }) {
  const t = useT()
  return (
    <Stack {...form.props} as="form">
      <CodeField field={form.field('code')} help={t('auth.codeHelp')} autoFocus />
      <Button type="submit" variant="filled" size="md" loading={form.submitting}>
        {t('auth.verifyAction')}
      </Button>
    </Stack>
  )
}
