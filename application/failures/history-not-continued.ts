/** Events that are not the next ones after those in the store. */
export class HistoryNotContinued extends Error {
  override readonly name = 'HistoryNotContinued'
}
