// Features of browsers that TypeScript 4.8 does not know.

interface Array<T> {
  findLast(predicate: (value: T, index: number) => unknown): T | undefined;
}
interface URLSearchParams {
  readonly size: number;
}
interface FontFaceDescriptors {
  ascentOverride?: string;
  descentOverride?: string;
  lineGapOverride?: string;
}
interface ReadableStream<R> {
  [Symbol.asyncIterator](): AsyncIterator<R>;
}
declare namespace CSS {
  function registerProperty(definition: { name: string; syntax?: string; inherits: boolean; initialValue?: string }): void;
}
