/** A reply that is no JSON but a text, as clients of another service expect it. */
export class PlainReply {
  readonly text: string
  readonly contentType: string

  constructor(text: string, contentType: string) {
    this.text = text
    this.contentType = contentType
  }
}
