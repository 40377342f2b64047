import type { AccountDetail } from '@waybill/contract/accounts/directory'
import { accountStatusLabels } from '@waybill/contract/ground/enums/enums'
import { Phone } from '../../../components/display/phone-link.tsx'
import { Time } from '../../../components/display/time.tsx'
import { LineList, Panel } from '../../../components/layout/boxes.tsx'
import { Fact, Facts } from '../../../components/layout/facts.tsx'
import { Note, Quiet, Tag } from '../../../components/layout/text.tsx'
import { languageNames, useT } from '../../../lib/i18n.ts'
import { useLabel } from '../../../lib/labels.ts'

/** The account's details and its users. */
export function PeoplePanel({ account }: { account: AccountDetail }) {
  const t = useT()
  const { users, userCount, registrationNumber, taxNumber, billingAddress } = account
  return (
    <Panel title={t('accountPage.people')}>
      <Facts>
        <Fact label={t('accountsPage.since')}>
          <Time at={account.createdAt} />
        </Fact>
        {registrationNumber && <Fact label={t('fields.registrationNumber')}>{registrationNumber}</Fact>}
        {taxNumber && <Fact label={t('fields.taxNumber')}>{taxNumber}</Fact>}
        {billingAddress && <Fact label={t('accountPage.billingAddress')}>{billingAddress}</Fact>}
      </Facts>
      <LineList>
        {users.map((user) => (
          <UserLine key={user.id} user={user} />
        ))}
      </LineList>
      {userCount > users.length && <Note>{t('accountPage.moreUsers', { count: userCount - users.length })}</Note>}
    </Panel>
  )
}

function UserLine({ user }: { user: AccountDetail['users'][number] }) {
  const t = useT()
  const label = useLabel()
  return (
    <li>
      <span>
        <strong>{user.name}</strong> {user.isOwner && <Tag>{t('usersPage.owner')}</Tag>}
        {user.invited && <Tag>{t('teamPage.invited')}</Tag>}
        {user.status !== 'active' && <Tag tone="danger">{label(accountStatusLabels, user.status)}</Tag>}
        <Quiet>
          {user.email} · {user.phone && <Phone phone={user.phone} />}
          {user.phone && ' · '}
          {languageNames[user.language]}
        </Quiet>
      </span>
      <Quiet>
        {t('phrase.label', { label: t('usersPage.lastLogin') })}
        {user.lastLoginAt ? <Time at={user.lastLoginAt} /> : t('usersPage.never')}
      </Quiet>
    </li>
  )
}
