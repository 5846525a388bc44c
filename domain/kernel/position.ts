/** The number of an event in the order of all events of the store. It grows with every event, not always by one. */
export type Position = bigint

/** The position before the first event of the store. */
export const beforeAll: Position = -1n

/** The number of an event in its stream: 0 for the first, then one more each. */
export type Revision = number

/** The revision of a stream without events. */
export const noStream: Revision = -1
