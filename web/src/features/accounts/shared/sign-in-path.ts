/**
 * Whether a page belongs to staff: by its path, or by the mark `staff` on a page of both sides, such as the one that
 * sets a new password.
 */
export function isStaffPage({ pathname, search }: Pick<Location, 'pathname' | 'search'> = location): boolean {
  return /^\/staff(\/|$)/.test(pathname) || new URLSearchParams(search).has('staff')
}

/** The home page of a side. */
export function homePath(staff: boolean): '/dashboard' | '/staff' {
  return staff ? '/staff' : '/dashboard'
}

/** The sign-in page of a side. */
export function signInPath(staff: boolean): '/login' | '/staff/login' {
  return staff ? '/staff/login' : '/login'
}
