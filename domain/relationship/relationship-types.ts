/** What another account is to an account. */
export const relationshipTypes = { friend: 1, blocked: 2, incomingRequest: 3, outgoingRequest: 4 } as const
export type RelationshipType = (typeof relationshipTypes)[keyof typeof relationshipTypes]
