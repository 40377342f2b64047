/** Fixed values of the specification, section 9. */
export const constants = {
  defaultPageSize: 50,
  maximumPageSize: 200,
  apiTimeoutMs: 30_000,
  persistedStateTimeoutMs: 5_000,
  creditLabel: 'LP',
  primaryColour: '#e82023',
  documentFormat: 'pdf',
} as const
