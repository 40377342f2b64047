/** Hashing of passwords. */
import { hash, verify } from '@node-rs/argon2'
import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../http/errors.ts'
import { isCommonPassword } from '../../../lib/common-passwords.ts'
import { passwordsOn } from '../../settings/login-methods.ts'
import type { UserRow } from '../queries.ts'

/** OWASP's recommendation for argon2id, the library's default algorithm. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** The hash of an unknown password. It is verified if there is no user, so that both cases take the same time. */
const nobodys = '$argon2id$v=19$m=19456,t=2,p=1$ldb5ht1SgmMpa39YLj0IZQ$QAWloxJPu0iAvuQ/BQvNrWS4VQhwp7xGeWAvDi+nfqg'

/** The argon2id hash of a password. */
export async function hashPassword(password: string): Promise<string> {
  return hash(password, cost)
}

/** False, after the same work, if there is no hash. */
export async function verifyPassword(passwordHash: string | null, password: string): Promise<boolean> {
  const fits = await verify(passwordHash ?? nobodys, password)
  return fits && passwordHash !== null
}

/** @throws AppError password_common */
export function requireUncommonPassword(password: string, email: string): void {
  if (!isCommonPassword(password, email)) return
  throw new AppError('password_common', { fields: [{ field: 'password', rule: 'passwordCommon' }] })
}

/**
 * Whether this user may have and use a password. A superadmin always may: with `local` off and the provider down or
 * misconfigured, no other user could repair the settings (decision 63).
 */
export function mayUsePassword({ settings }: Deps, user: Pick<UserRow, 'staff_type'>): boolean {
  return passwordsOn(settings) || user.staff_type === 'superadmin'
}

/** Whether a user has a password and may use it. */
export function hasUsablePassword(deps: Deps, user: UserRow): boolean {
  return user.password_hash !== null && mayUsePassword(deps, user)
}

/** @throws AppError passwords_off while `local` is not a sign-in method */
export function requirePasswordsOn({ settings }: Deps): void {
  if (!passwordsOn(settings)) throw new AppError('passwords_off')
}

/** @throws AppError passwords_off unless this user may use a password */
export function requirePasswordFor(deps: Deps, user: Pick<UserRow, 'staff_type'>): void {
  if (!mayUsePassword(deps, user)) throw new AppError('passwords_off')
}
