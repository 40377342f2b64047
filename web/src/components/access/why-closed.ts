import { useSession } from '../../lib/session.ts'

type User = { status: string; account: { status: string } | null }

/** Who is suspended; null: neither the account nor the user. */
export function findSuspended(user: User | null): 'account' | 'member' | null {
  if (user?.account?.status === 'inactive') return 'account'
  return user?.status === 'inactive' ? 'member' : null
}

const suspendedKeys = { account: 'errors.account_suspended', member: 'errors.account_suspended_member' } as const

/**
 * Why the customer lacks a permission, as a key of the locale files: a suspended user does not read that the owner of
 * the account has refused it. `otherwise` is for everybody else.
 */
export function useWhyClosed<Key extends string>(
  otherwise: Key,
): Key | (typeof suspendedKeys)[keyof typeof suspendedKeys] {
  const suspended = useSession(({ auth }) => findSuspended(auth.user))
  return suspended ? suspendedKeys[suspended] : otherwise
}
