import { Button, Textarea } from '@mantine/core'
import {
  getLegalText,
  type LegalKind,
  type LegalVersion,
  legalKinds,
  listLegalVersions,
  publishLegalText,
} from '@waybill/contract/legal/legal'
import { useState } from 'react'
import { Loading } from '../../components/feedback/loading.tsx'
import { ErrorPanel } from '../../components/feedback/message-panel.tsx'
import { useContractForm } from '../../components/form/contract-form.ts'
import { DraftNotice } from '../../components/form/draft-notice.tsx'
import { fieldProps } from '../../components/form/field-props.ts'
import { Grid, Panel, Stack } from '../../components/layout/boxes.tsx'
import { Fold } from '../../components/layout/fold.tsx'
import { PageHeader } from '../../components/layout/page-header.tsx'
import { Tabs } from '../../components/layout/tabs.tsx'
import { Note } from '../../components/layout/text.tsx'
import { call } from '../../lib/api.ts'
import { useFormat } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'
import { useCall } from '../../lib/query.ts'
import { LegalText } from './legal-text.tsx'

/** `/staff/content/texts`: the terms of carriage and the privacy notice. Publishing creates a new version. */
export function StaffTextsPage() {
  const t = useT()
  const [kind, setKind] = useState<LegalKind>('terms')
  const answer = useCall(listLegalVersions, { params: { kind } }, { staleTime: 0 })
  return (
    <>
      <PageHeader title={t('legal.staffTitle')} description={t('legal.staffLead')} />
      <Tabs<LegalKind>
        label={t('legal.staffTitle')}
        tabs={legalKinds.map((key) => ({ key, label: t(`legal.${key}`) }))}
        current={kind}
        onSelect={setKind}
      />
      {answer.data ? (
        <Versions key={`${kind} ${answer.data.items[0]?.version ?? 0}`} kind={kind} versions={answer.data.items} />
      ) : answer.error ? (
        <ErrorPanel error={answer.error} retry={() => void answer.refetch()} />
      ) : (
        <Loading />
      )}
    </>
  )
}

function Versions({ kind, versions }: { kind: LegalKind; versions: readonly LegalVersion[] }) {
  const t = useT()
  const format = useFormat()
  const [latest] = versions
  const describe = ({ version, publishedAt }: LegalVersion) =>
    t('legal.version', { version: format.number(version), date: format.dateTime(publishedAt) })
  return (
    <Stack gap={24} style={{ marginBlockStart: 16 }}>
      <PublishForm kind={kind} latest={latest ?? null} />
      {versions.length > 0 && (
        <Panel title={t('legal.versions')}>
          {versions.map((version) => (
            <Fold key={version.version} summary={describe(version)}>
              <Grid min={320} gap={24}>
                <LegalText text={version.text.en} />
                {version.text.cn_zh && <LegalText text={version.text.cn_zh} />}
              </Grid>
            </Fold>
          ))}
        </Panel>
      )}
    </Stack>
  )
}

function PublishForm({ kind, latest }: { kind: LegalKind; latest: LegalVersion | null }) {
  const t = useT()
  const form = useContractForm({
    schema: publishLegalText.body,
    initial: {
      after: latest?.version ?? null,
      text: { en: latest?.text.en ?? '', cn_zh: latest?.text.cn_zh ?? '' },
    },
    draftKey: `legal:${kind}:${latest?.version ?? 0}`,
    confirm: {
      title: t('legal.publishTitle', { name: t(`legal.${kind}`) }),
      message: t('legal.publishText'),
      action: t('legal.publish'),
    },
    onSubmit: (body) => call(publishLegalText, { params: { kind }, body }),
    refresh: [listLegalVersions, getLegalText],
    refreshOnError: [listLegalVersions],
    success: ({ version }) => t('legal.published', { version }),
  })
  const languages = [
    { field: form.field('text.en', t('legal.english')), lang: 'en' },
    { field: form.field('text.cn_zh', t('legal.chinese')), lang: 'zh-CN' },
  ] as const
  return (
    <Panel title={t(latest ? 'legal.nextVersion' : 'legal.firstVersion')}>
      <Stack {...form.props} as="form">
        <DraftNotice form={form} />
        <Note>{t('legal.writing')}</Note>
        <Grid min={320} gap={24}>
          {languages.map(({ field, lang }) => (
            <Textarea
              key={lang}
              {...fieldProps(field)}
              lang={lang}
              value={field.value}
              onChange={(event) => field.onChange(event.currentTarget.value)}
              autosize
              minRows={12}
              maxRows={28}
            />
          ))}
        </Grid>
        <div>
          <Button type="submit" variant="filled" loading={form.submitting}>
            {t('legal.publish')}
          </Button>
        </div>
      </Stack>
    </Panel>
  )
}
