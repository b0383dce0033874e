import { describe, expect, it } from 'vitest';
import { sourceOf } from '../../documents/lines.js';

const fencedLines = (text: string) => {
  const { lines, fenced, openFence } = sourceOf(text);
  return { fenced: lines.filter((_, index) => fenced[index] === 1), openFence };
};

describe('the fences of a text (E14, E17)', () => {
  it.each<[string, string, string[]]>([
    ['backticks', 'a\n```\nb\n```\nc', ['```', 'b', '```']],
    ['tildes', '~~~ yaml\nb\n~~~\nc', ['~~~ yaml', 'b', '~~~']],
    ['indented by three', '   ```\nb\n  ```\nc', ['   ```', 'b', '  ```']],
    ['indented by four are no fences', '    ```\nb', []],
    ['a longer fence around a shorter one', '````\n```\nb\n```\n````\nc', ['````', '```', 'b', '```', '````']],
    ['tildes around backticks', '~~~\n```\n~~~\nc', ['~~~', '```', '~~~']],
    ['a closing fence has no words', '```\nb\n``` js\n```\nc', ['```', 'b', '``` js', '```']],
    ['a code span in prose is no fence', '```not a `fence`\nb', []],
    ['in a list item', '- ```\n  b\n  ```\nc', ['- ```', '  b', '  ```']],
    ['in a list item that ends without closing it', '1. ~~~\n   b\nc\n', ['1. ~~~', '   b']],
  ])('%s', (_name, text, fenced) => {
    expect(fencedLines(text)).toEqual({ fenced, openFence: null });
  });

  it('that is never closed is known by its line', () => {
    expect(fencedLines('a\n```\nb')).toEqual({ fenced: ['```', 'b'], openFence: 1 });
  });

  it('do not depend on how lines end', () => {
    expect(sourceOf('\ufeffa\r\n```\rb\u2028c\n```').lines).toEqual(['a', '```', 'b c', '```']);
  });
});
