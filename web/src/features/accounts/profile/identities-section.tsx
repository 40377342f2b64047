import { Button } from '@mantine/core'
import { listIdentities, removeIdentity, startIdentityLink } from '@waybill/contract/accounts/identity-providers'
import type { SessionUser } from '@waybill/contract/accounts/sign-in'
import type { IdentityProvider } from '@waybill/contract/ground/constants'
import { useState } from 'react'
import { Loading } from '../../../components/feedback/loading.tsx'
import { ErrorPanel } from '../../../components/feedback/message-panel.tsx'
import { SaveDialog } from '../../../components/feedback/save-dialog.tsx'
import { useSend } from '../../../components/feedback/use-send.ts'
import { useContractForm } from '../../../components/form/contract-form.ts'
import { Buttons, LineList, Panel, Stack } from '../../../components/layout/boxes.tsx'
import { Note } from '../../../components/layout/text.tsx'
import { call } from '../../../lib/api.ts'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { useCall } from '../../../lib/query.ts'
import { emptyProof, ProofField, useReadProof } from '../shared/proof-field.tsx'
import { rememberProvider } from '../sign-in/pending-provider.ts'
import { useProviders } from '../sign-in/use-providers.ts'

/** The identities linked to this user, and the available providers. Renders nothing without either. */
export function IdentitiesSection({ user }: { user: SessionUser }) {
  const t = useT()
  const format = useFormat()
  const identities = useCall(listIdentities, {})
  const providers = useProviders(user.kind)
  const [asking, setAsking] = useState<Provider | null>(null)
  const getLabel = (name: IdentityProvider) =>
    providers.find(({ provider }) => provider === name)?.label ?? t(`settingChoice.${name}`)
  const remove = useSend((id: string, _provider: IdentityProvider) => call(removeIdentity, { params: { id } }), {
    confirm: (_id, provider) => ({
      title: t('profile.disconnectTitle', { provider: getLabel(provider) }),
      message: t('profile.disconnectText', { provider: getLabel(provider) }),
      action: t('profile.disconnect'),
    }),
    refresh: [listIdentities],
    success: (_, _id, provider) => t('profile.disconnected', { provider: getLabel(provider) }),
  })
  if (identities.error) return <ErrorPanel error={identities.error} retry={() => void identities.refetch()} />
  if (!identities.data) return <Loading />
  const { items } = identities.data
  const open = providers.filter(({ provider }) => !items.some((item) => item.provider === provider))
  if (items.length === 0 && open.length === 0) return null
  return (
    <Panel style={{ maxWidth: 800 }} title={t('profile.identities')}>
      <Stack>
        {items.length > 0 && (
          <LineList>
            {items.map(({ id, provider, email, lastUsedAt }) => (
              <li key={id}>
                <div>
                  <div>{[getLabel(provider), email].filter(Boolean).join(' · ')}</div>
                  <Note as="div">
                    {lastUsedAt ? t('profile.lastUsed', { when: format.relative(lastUsedAt) }) : t('profile.neverUsed')}
                  </Note>
                </div>
                <Button
                  size="sm"
                  aria-label={t('phrase.labelled', { label: t('profile.disconnect'), value: getLabel(provider) })}
                  disabled={remove.pending}
                  onClick={() => void remove.send(id, provider)}
                >
                  {t('profile.disconnect')}
                </Button>
              </li>
            ))}
          </LineList>
        )}
        {open.length > 0 && (
          <>
            <Note>{t('profile.identitiesHint')}</Note>
            <Buttons>
              {open.map((one) => (
                <Button key={one.provider} onClick={() => setAsking(one)}>
                  {t('profile.connect', { provider: one.label })}
                </Button>
              ))}
            </Buttons>
          </>
        )}
      </Stack>
      {asking && <ConnectDialog user={user} provider={asking} onClose={() => setAsking(null)} />}
    </Panel>
  )
}

type Provider = { provider: IdentityProvider; label: string }

/** Starts linking after a proof, and leaves for the provider's page. */
function ConnectDialog({ user, provider, onClose }: { user: SessionUser; provider: Provider; onClose: () => void }) {
  const t = useT()
  const form = useContractForm({
    schema: startIdentityLink.body,
    initial: emptyProof,
    prepare: useReadProof(),
    onSubmit: async (body) => {
      const { url, browserToken } = await call(startIdentityLink, { params: { provider: provider.provider }, body })
      const next = user.kind === 'staff' ? '/staff/profile' : '/profile'
      rememberProvider({ browserToken, side: user.kind, next, connects: true })
      location.assign(url)
    },
  })
  return (
    <SaveDialog
      title={t('profile.connect', { provider: provider.label })}
      form={form}
      onClose={onClose}
      save={t('profile.connectGo', { provider: provider.label })}
    >
      <p>{t('profile.connectText', { provider: provider.label })}</p>
      <ProofField form={form} step="connect_identity" autoFocus />
    </SaveDialog>
  )
}
