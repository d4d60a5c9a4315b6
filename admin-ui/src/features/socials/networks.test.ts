import { describe, expect, it } from 'vitest';
import { isAddressOf, NETWORKS } from './networks';

describe('addresses of networks', () => {
  // As in the service (socials.rs).
  it.each<[(typeof NETWORKS)[number], string, boolean]>([
    ['facebook', '', true],
    ['facebook', 'https://www.facebook.com/kekfrankos', true],
    ['facebook', 'http://facebook.com/x', false],
    ['facebook', 'facebook.com/x', false],
    ['facebook', 'https://facebook.com.evil.example/x', false],
    ['facebook', 'https://facebook.com@evil.example/', false],
    ['youtube', 'https://youtu.be/abc', true],
    ['twitter', 'https://x.com/pult', true],
    ['blog', 'https://kekfrankos.example/blog', true],
    ['blog', 'javascript:alert(1)', false],
    ['tumblr', 'https://kekfrankos.tumblr.com/', true],
    ['tumblr', 'https://nottumblr.com/', false],
  ])('%s %s', (network, text, expected) => expect(isAddressOf(network, text)).toBe(expected));
});
