import { listDuplicates } from '@waybill/contract/addresses/duplicates'
import { ButtonLink, TextLink } from '../../../components/buttons/link.tsx'
import { Loading } from '../../../components/feedback/loading.tsx'
import { ErrorPanel, MessagePanel } from '../../../components/feedback/message-panel.tsx'
import { Stack } from '../../../components/layout/boxes.tsx'
import { PageHeader } from '../../../components/layout/page-header.tsx'
import { Note } from '../../../components/layout/text.tsx'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { useCall } from '../../../lib/query.ts'
import { DuplicatePanel } from './duplicate-panel.tsx'

/** Similar addresses in groups: merged value by value, or marked as different. */
export function DuplicatesPage() {
  const t = useT()
  const format = useFormat()
  const { data, error, refetch } = useCall(listDuplicates, {}, { staleTime: 0 })
  return (
    <>
      <PageHeader
        title={t('addressDuplicates.title')}
        description={<TextLink to="/address-book">{t('addressBook.title')}</TextLink>}
      />
      {error ? (
        <ErrorPanel error={error} retry={() => void refetch()} />
      ) : !data ? (
        <Loading />
      ) : data.groups.length === 0 ? (
        <MessagePanel
          kind="done"
          title={t('addressDuplicates.none')}
          text={t('addressDuplicates.noneText')}
          action={<ButtonLink to="/address-book">{t('addressBook.title')}</ButtonLink>}
        />
      ) : (
        <Stack gap={16}>
          <Note>{t('addressDuplicates.lead', { groups: format.number(data.total), count: data.total })}</Note>
          {data.groups.map((group) => (
            <DuplicatePanel key={group.addresses.map(({ id, version }) => id + version).join()} group={group} />
          ))}
        </Stack>
      )}
    </>
  )
}
