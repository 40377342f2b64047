import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { apiScopeLabels } from '@waybill/contract/ground/enums/enums'
import { type ApiKey, listApiKeys, revokeApiKey } from '@waybill/contract/integrations/api-keys'
import { useState } from 'react'
import { StatusPill } from '../../components/display/status-pill.tsx'
import { Time } from '../../components/display/time.tsx'
import { Loading } from '../../components/feedback/loading.tsx'
import { ErrorPanel, MessagePanel } from '../../components/feedback/message-panel.tsx'
import { useSend } from '../../components/feedback/use-send.ts'
import { CardList, Row, Stack } from '../../components/layout/boxes.tsx'
import { Fact, Facts } from '../../components/layout/facts.tsx'
import { Mono, Note, Quiet } from '../../components/layout/text.tsx'
import { call } from '../../lib/api.ts'
import { useFormat } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'
import { useLabel } from '../../lib/labels.ts'
import { useCall } from '../../lib/query.ts'
import { ApiKeyDialog } from './api-key-dialog.tsx'
import { keyLooks } from './looks.ts'
import { SecretDialog } from './secret-dialog.tsx'

/** The API keys of the account. A new one is shown once, directly after it was created. */
export function ApiKeysSection() {
  const t = useT()
  const keys = useCall(listApiKeys, {})
  const [creating, setCreating] = useState(false)
  const [secret, setSecret] = useState<string | null>(null)
  const items = keys.data?.items ?? []
  return (
    <Stack as="section" gap={12}>
      <Row justify="between">
        <h2>{t('developers.keys')}</h2>
        <Button leftSection={<IconPlus size={18} aria-hidden />} onClick={() => setCreating(true)}>
          {t('developers.newKey')}
        </Button>
      </Row>
      {keys.error ? (
        <ErrorPanel error={keys.error} retry={() => void keys.refetch()} />
      ) : keys.isPending ? (
        <Loading />
      ) : items.length === 0 ? (
        <MessagePanel kind="empty" title={t('developers.noKeys')} text={t('developers.noKeysHint')} />
      ) : (
        <CardList>
          {items.map((key) => (
            <li key={key.id}>
              <KeyCard apiKey={key} />
            </li>
          ))}
        </CardList>
      )}
      {creating && keys.data && (
        <ApiKeyDialog
          currency={keys.data.currency}
          onClose={() => setCreating(false)}
          onCreated={(created) => {
            setCreating(false)
            setSecret(created)
          }}
        />
      )}
      {secret && (
        <SecretDialog
          title={t('developers.yourKey')}
          secret={secret}
          help={t('developers.keyHelp')}
          onClose={() => setSecret(null)}
        />
      )}
    </Stack>
  )
}

function KeyCard({ apiKey }: { apiKey: ApiKey }) {
  const t = useT()
  const format = useFormat()
  const label = useLabel()
  const { id, name, prefix, scopes, status, dailyLimitMinor, currency, createdBy } = apiKey
  const revoke = useSend(() => call(revokeApiKey, { params: { id } }), {
    confirm: {
      title: t('developers.revokeTitle', { name }),
      message: t('developers.revokeText'),
      action: t('developers.revoke'),
    },
    refresh: [listApiKeys],
    success: t('developers.revoked', { name }),
  })
  return (
    <Stack gap={12}>
      <Row justify="between">
        <div>
          <Row gap={8}>
            <strong>{name}</strong>
            <StatusPill look={keyLooks[status]} label={t(`developers.keyStatus.${status}`)} />
          </Row>
          <Note as="div">
            <Mono>{prefix}…</Mono>
          </Note>
        </div>
        {status !== 'revoked' && (
          <Button
            size="sm"
            aria-label={t('phrase.labelled', { label: t('developers.revoke'), value: name })}
            onClick={() => void revoke.send()}
          >
            {t('developers.revoke')}
          </Button>
        )}
      </Row>
      <Facts layout="tiles">
        <Fact label={t('fields.scopes')}>{scopes.map((scope) => label(apiScopeLabels, scope)).join('\u00a0· ')}</Fact>
        <Fact label={t('fields.dailyLimitMinor')}>
          {dailyLimitMinor === null ? '–' : format.money(dailyLimitMinor, currency)}
        </Fact>
        <Fact label={t('developers.lastUsed')}>
          {apiKey.lastUsedAt ? <Time at={apiKey.lastUsedAt} /> : t('developers.neverUsed')}
        </Fact>
        <Fact label={t('developers.created')}>
          {format.dateTime(apiKey.createdAt)}
          {createdBy && <Quiet>{createdBy}</Quiet>}
        </Fact>
        <Fact label={t('fields.expiresAt')}>{apiKey.expiresAt && <Time at={apiKey.expiresAt} />}</Fact>
      </Facts>
    </Stack>
  )
}
