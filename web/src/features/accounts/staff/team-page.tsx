import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { PageHeader } from '../../../components/layout/page-header.tsx'
import { Tabs } from '../../../components/layout/tabs.tsx'
import { useT } from '../../../lib/i18n.ts'
import { ColleagueDialog } from './colleague-dialog.tsx'
import { CustomerUsers } from './customer-users.tsx'
import { TeamList } from './team-list.tsx'

const parts = ['staff', 'customers'] as const

/** All users: the staff, and the users of customers. */
export function TeamPage() {
  const t = useT()
  const navigate = useNavigate()
  const { part } = useSearch({ from: '/staff/staff/team' })
  const [inviting, setInviting] = useState(false)
  const current = part === 'customers' ? 'customers' : 'staff'
  const invite = (
    <Button variant="filled" leftSection={<IconPlus size={18} aria-hidden />} onClick={() => setInviting(true)}>
      {t('teamPage.invite')}
    </Button>
  )
  return (
    <>
      <PageHeader title={t('teamPage.title')} description={t('teamPage.lead')} actions={invite} />
      <Tabs
        label={t('teamPage.parts')}
        tabs={parts.map((key) => ({ key, label: t(`teamPage.${key}`) }))}
        current={current}
        onSelect={(key) => void navigate({ to: '.', search: key === 'customers' ? { part: key } : {} })}
      />
      {current === 'staff' ? <TeamList /> : <CustomerUsers />}
      {inviting && <ColleagueDialog colleague={null} onClose={() => setInviting(false)} />}
    </>
  )
}
