export class SignalTooLarge extends Error {
  override readonly name = 'SignalTooLarge'
}
