import { Button } from '@mantine/core'
import {
  changeFactor,
  confirmFactorChange,
  type FactorSetup,
  getOwnFactor,
} from '@waybill/contract/accounts/second-factor'
import { listSessions } from '@waybill/contract/accounts/sign-in'
import { useState } from 'react'
import { Loading } from '../../../components/feedback/loading.tsx'
import { ErrorPanel } from '../../../components/feedback/message-panel.tsx'
import { notify } from '../../../components/feedback/notify.tsx'
import { PasswordField } from '../../../components/fields/password-field.tsx'
import { TextField } from '../../../components/fields/text-field.tsx'
import { useContractForm } from '../../../components/form/contract-form.ts'
import { Panel, Stack } from '../../../components/layout/boxes.tsx'
import { call } from '../../../lib/api.ts'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { useCall, useRefresh } from '../../../lib/query.ts'
import { FactorSetupForm } from './factor-setup.tsx'

const initial = { currentPassword: '', code: '' }
/** Without a factor yet, no code is required. */
const prepareBody = ({ currentPassword, code }: typeof initial) => ({ currentPassword, ...(code ? { code } : {}) })

/**
 * The second factor of a staff member: when it was set up, the remaining recovery codes, and how to move it to another
 * phone.
 */
export function FactorSection() {
  const t = useT()
  const format = useFormat()
  const refresh = useRefresh()
  const own = useCall(getOwnFactor, {})
  const [setup, setSetup] = useState<FactorSetup | null>(null)
  if (own.error) return <ErrorPanel error={own.error} retry={() => void own.refetch()} />
  if (!own.data) return <Loading />
  const { required, since, recoveryCodesLeft } = own.data
  if (!required && !since) return null
  return (
    <Panel style={{ maxWidth: 800 }} title={t('factor.title')}>
      <Stack style={{ maxWidth: 560 }}>
        {setup ? (
          <FactorSetupForm
            setup={setup}
            confirm={async (code) => {
              const { recoveryCodes } = await call(confirmFactorChange, { body: { code } })
              return {
                recoveryCodes,
                onDone: () => {
                  setSetup(null)
                  void refresh(getOwnFactor, listSessions)
                  notify.success(t('factor.changed'))
                },
              }
            }}
          />
        ) : (
          <>
            <p>
              {since ? t('factor.since', { when: format.date(since), count: recoveryCodesLeft }) : t('factor.notSetUp')}
            </p>
            <ProofForm exists={since !== null} onSetup={setSetup} />
          </>
        )}
      </Stack>
    </Panel>
  )
}

/** Asks for the password, and for a code of the current factor: somebody else may use a signed-in device. */
function ProofForm({ exists, onSetup }: { exists: boolean; onSetup: (setup: FactorSetup) => void }) {
  const t = useT()
  const form = useContractForm({
    schema: changeFactor.body,
    initial,
    prepare: prepareBody,
    onSubmit: async (body) => onSetup(await call(changeFactor, { body })),
  })
  return (
    <Stack {...form.props} as="form">
      <PasswordField field={form.field('currentPassword')} autoComplete="current-password" />
      {exists && (
        <TextField
          field={{ ...form.field('code', t('factor.presentCode')), required: true }}
          help={t('factor.presentCodeHelp')}
          autoComplete="one-time-code"
        />
      )}
      <div>
        <Button type="submit" loading={form.submitting}>
          {t(exists ? 'factor.change' : 'factor.setUp')}
        </Button>
      </div>
    </Stack>
  )
}
