/**
 * The parts of an instance that can be out. `disk`: the disk of any part that stores data. `requests`: more requests arrive than
 * can be answered.
 */
export type Part =
  | 'postgres'
  | 'event store'
  | 'disk'
  | 'nats'
  | 'read models'
  | 'image store'
  | 'file scanner'
  | 'passwords'
  | 'locks'
  | 'rate limits'
  | 'worker ids'
  | 'process register'
  | 'admission room'
  | 'requests'
  | 'other'
