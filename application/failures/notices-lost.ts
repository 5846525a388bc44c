/** The follower is too far behind: some of its notices are no longer kept. */
export class NoticesLost extends Error {
  override readonly name = 'NoticesLost'
}
