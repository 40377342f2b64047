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
import { TextField } from '../../../components/fields/text-field.tsx'
import { useContractForm } from '../../../components/form/contract-form.ts'
import { Panel, Stack } from '../../../components/layout/boxes.tsx'
import { call } from '../../../lib/api.ts'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { useCall, useRefresh } from '../../../lib/query.ts'
import { emptyProof, ProofField, useReadProof } from '../shared/proof-field.tsx'
import { FactorSetupForm } from './factor-setup.tsx'

const initial = { ...emptyProof, factorCode: '' }

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

/** Asks for a proof, and for a code of the current factor: somebody else may use a signed-in device. */
function ProofForm({ exists, onSetup }: { exists: boolean; onSetup: (setup: FactorSetup) => void }) {
  const t = useT()
  const readProof = useReadProof()
  const form = useContractForm({
    schema: changeFactor.body,
    initial,
    // Without a factor yet, no code of it is required.
    prepare: (values) => ({ ...readProof(values), factorCode: values.factorCode || undefined }),
    onSubmit: async (body) => onSetup(await call(changeFactor, { body })),
  })
  return (
    <Stack {...form.props} as="form">
      <ProofField form={form} step="change_factor" />
      {exists && (
        <TextField
          field={{ ...form.field('factorCode'), required: true }}
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
