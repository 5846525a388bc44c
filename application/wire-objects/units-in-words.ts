/** What scalars say of their form. In the API document it stands behind what a member of theirs means. */
export const unitsInWords = {
  timestamp: 'ISO 8601 in UTC with milliseconds.',
  givenTimestamp: 'ISO 8601; in UTC if it has no offset.',
  givenTimestampOrMs: 'ISO 8601, in UTC if it has no offset; or milliseconds since 1970.',
  mask: 'A permission mask as a decimal string.',
  givenMask: 'A permission mask as a decimal string, or as an integer.',
  color: '24 bits of RGB: 0xRRGGBB.',
} as const
