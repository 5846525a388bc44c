declare module 'heic-decode' {
  interface Picture {
    readonly width: number
    readonly height: number
    decode(): Promise<{ readonly data: Uint8ClampedArray; readonly width: number; readonly height: number }>
  }

  const heic: {
    /** All pictures of a file, not decoded yet. */
    all(input: { readonly buffer: Uint8Array }): Promise<readonly Picture[] & { dispose(): void }>
  }
  export default heic
}
