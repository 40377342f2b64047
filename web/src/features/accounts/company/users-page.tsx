import { Button } from '@mantine/core'
import { IconEye, IconPencil, IconPlus } from '@tabler/icons-react'
import {
  exportMembers,
  getApprovalRule,
  listMembers,
  type Member,
  memberTabs,
  memberUsage,
} from '@waybill/contract/accounts/company'
import { getOwnershipOffer } from '@waybill/contract/accounts/ownership'
import { accountStatusLabels, memberPermissionLabels } from '@waybill/contract/ground/enums/enums'
import { useState } from 'react'
import { OnlyFor } from '../../../components/access/only-for.tsx'
import { Avatar } from '../../../components/display/avatar.tsx'
import { Together, useProfileAnswer } from '../../../components/feedback/together.tsx'
import { Buttons } from '../../../components/layout/boxes.tsx'
import { PageHeader } from '../../../components/layout/page-header.tsx'
import { Quiet, Tag } from '../../../components/layout/text.tsx'
import { DataList } from '../../../components/list/data-list.tsx'
import { DownloadExcel } from '../../../components/list/download-excel.tsx'
import { useList } from '../../../components/list/list-state.ts'
import { useWide } from '../../../lib/browser/use-media.ts'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { useLabel } from '../../../lib/labels.ts'
import { useCall } from '../../../lib/query.ts'
import { useMay } from '../../../lib/session.ts'
import { ApprovalRuleCard } from './approval-rule-card.tsx'
import classes from './company.module.css'
import { MemberDialog } from './member-dialog.tsx'
import { MemberStatus } from './member-status.tsx'
import { MemberView } from './member-view.tsx'
import { OwnershipCard } from './ownership-card.tsx'

/** The users of the company: permissions, and the amount billed this month. */
export function UsersPage() {
  const t = useT()
  return (
    <OnlyFor rule="corporate.users" title={t('usersPage.title')}>
      <Users />
    </OnlyFor>
  )
}

function Users() {
  const t = useT()
  const format = useFormat()
  const label = useLabel()
  const isOwner = useMay('corporate.owner')
  const isWide = useWide()
  const list = useList(listMembers, { defaultSort: '+name' })
  const usage = useCall(memberUsage, {}).data?.items ?? []
  const counts = list.result.data?.counts
  const answers = [
    list.result,
    useProfileAnswer(),
    useCall(getApprovalRule, {}, { enabled: isOwner, staleTime: 0 }),
    useCall(getOwnershipOffer, {}, { staleTime: 0 }),
  ]
  const [dialogMember, setDialogMember] = useState<Member | 'new' | null>(null)
  const [openMemberId, setOpenMemberId] = useState<string | null>(null)
  const billedMinor = (id: string) => Math.max(0, usage.find(({ userId }) => userId === id)?.billedMinor ?? 0)
  const actionLabel = (label: string, row: Member) => t('phrase.labelled', { label, value: row.name })
  const create = (
    <Button variant="filled" leftSection={<IconPlus size={18} aria-hidden />} onClick={() => setDialogMember('new')}>
      {t('actions.new')}
    </Button>
  )
  return (
    <>
      <PageHeader
        title={t('usersPage.title')}
        description={t('usersPage.lead')}
        actions={
          <>
            <DownloadExcel endpoint={exportMembers} narrowing={list.narrowing} />
            {create}
          </>
        }
      />
      <Together answers={answers}>
        {isOwner && <ApprovalRuleCard />}
        <OwnershipCard />
        <DataList
          list={list}
          label={t('usersPage.title')}
          searchLabel={t('usersPage.search')}
          tabs={memberTabs.map((tab) => ({
            value: tab,
            label: tab === 'all' || tab === 'invited' ? t(`usersPage.${tab}`) : label(accountStatusLabels, tab),
            count: counts?.[tab],
          }))}
          rowKey={(row: Member) => row.id}
          rowName={(row) => row.name}
          columns={[
            {
              id: 'name',
              header: t('fields.personName'),
              sort: 'name',
              // The name with its mark.
              minWidth: 216,
              card: 'title',
              phone: 'title',
              phoneCell: (row) => row.name,
              cell: (row) => (
                <>
                  <Avatar name={row.name} photo={row.photoUrl} size={28} />
                  <strong>{row.name}</strong> {row.isOwner && <Tag>{t('usersPage.owner')}</Tag>}
                </>
              ),
            },
            {
              id: 'email',
              header: t('fields.email'),
              ...(isWide ? { whole: true } : { minWidth: 148 }),
              cell: (row) => row.email,
            },
            {
              id: 'job',
              header: t('fields.jobTitle'),
              show: 'chosen',
              cell: (row) => [row.jobTitle, row.costCentre].filter(Boolean).join(' · '),
            },
            {
              id: 'permissions',
              header: t('fields.permissions'),
              minWidth: isWide ? 160 : 96,
              phone: 'detail',
              cell: (row) => <Permissions row={row} />,
            },
            {
              id: 'limit',
              header: t('usersPage.thisMonth'),
              align: 'end',
              phone: 'detailEnd',
              phoneCell: (row) => t('usersPage.monthAmount', { amount: format.money(billedMinor(row.id)) }),
              cell: (row) => <Used limitMinor={row.monthlyLimitMinor} usedMinor={billedMinor(row.id)} />,
            },
            {
              id: 'status',
              header: t('fields.status'),
              phone: 'end',
              cell: (row) => <MemberStatus status={row.status} invited={row.invited && !row.isOwner} />,
            },
            {
              id: 'actions',
              kind: 'actions',
              header: t('usersPage.actions'),
              cell: (row) => (
                <Buttons as="span">
                  <Button
                    size="compact-sm"
                    title={t('actions.view')}
                    leftSection={<IconEye size={16} aria-hidden />}
                    aria-label={actionLabel(t('actions.view'), row)}
                    onClick={() => setOpenMemberId(row.id)}
                  >
                    {t('actions.view')}
                  </Button>
                  {row.editable && (
                    <Button
                      size="compact-sm"
                      title={t('actions.edit')}
                      leftSection={<IconPencil size={16} aria-hidden />}
                      aria-label={actionLabel(t('actions.edit'), row)}
                      onClick={() => setDialogMember(row)}
                    >
                      {t('actions.edit')}
                    </Button>
                  )}
                </Buttons>
              ),
            },
          ]}
          empty={{ title: t('usersPage.empty'), text: t('usersPage.emptyHint') }}
        />
      </Together>
      {dialogMember && (
        <MemberDialog member={dialogMember === 'new' ? null : dialogMember} onClose={() => setDialogMember(null)} />
      )}
      {openMemberId && (
        <MemberView
          id={openMemberId}
          usedMinor={billedMinor(openMemberId)}
          edit={(member) => {
            setOpenMemberId(null)
            setDialogMember(member)
          }}
          onClose={() => setOpenMemberId(null)}
        />
      )}
    </>
  )
}

function Permissions({ row }: { row: Member }) {
  const t = useT()
  const label = useLabel()
  if (row.isOwner) return t('usersPage.everything')
  if (row.permissions.length === 0) return <Quiet>{t('usersPage.looksOnly')}</Quiet>
  return row.permissions.map((each) => label(memberPermissionLabels, each)).join(' · ')
}

/** The amount billed this month, and the limit if there is one. */
function Used({ limitMinor, usedMinor }: { limitMinor: number | null; usedMinor: number }) {
  const t = useT()
  const format = useFormat()
  if (limitMinor === null) {
    return (
      <>
        {format.money(usedMinor)}
        <Quiet>{t('usersPage.noLimit')}</Quiet>
      </>
    )
  }
  const words = t('usersPage.usedOf', { used: format.money(usedMinor), limit: format.money(limitMinor) })
  return (
    <>
      {words}
      <meter
        className={classes.meter}
        min={0}
        max={Math.max(1, limitMinor)}
        high={limitMinor * 0.8}
        optimum={0}
        value={Math.min(usedMinor, limitMinor)}
        aria-label={words}
      />
    </>
  )
}
