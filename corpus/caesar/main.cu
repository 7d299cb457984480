// Chiffre de CÈsar: a comment in Latin-1, as old sources have them. The bytes must survive.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GPU(x) if ((x) != cudaSuccess) { fprintf(stderr, "CUDA call failed in line %d\n", __LINE__); return EXIT_FAILURE; }

__global__ void shift(char *text, int n, int by)
{
    /* Groﬂ- und Kleinbuchstaben; everything else stays. */
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
        const char c = text[i];
        const char base = c >= 'a' && c <= 'z' ? 'a' : 'A';
        if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')) text[i] = base + (c - base + by) % 26;
    }
}

__global__ void count(const char *text, int n, int *letters)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const int letter = (text[i] | 32) - 'a';
    if (letter >= 0 && letter < 26) atomicAdd(&letters[letter], 1);
}

int main(void)
{
    const char *plain = "The quick brown fox jumps over the lazy dog; Pack my box with five dozen liquor jugs.";
    const int n = (int)strlen(plain);
    char secret[128] = "", back[128] = "";
    int letters[26], *d_letters;
    char *d_text;
    GPU(cudaMalloc((void **)&d_text, n));
    GPU(cudaMalloc((void **)&d_letters, sizeof(letters)));
    GPU(cudaMemset(d_letters, 0, sizeof(letters)));
    GPU(cudaMemcpy(d_text, plain, n, cudaMemcpyHostToDevice));
    shift<<<1, 32>>>(d_text, n, 3);
    count<<<(n + 31) / 32, 32>>>(d_text, n, d_letters);
    GPU(cudaMemcpy(secret, d_text, n, cudaMemcpyDeviceToHost));
    GPU(cudaMemcpy(letters, d_letters, sizeof(letters), cudaMemcpyDeviceToHost));
    shift<<<2, 32>>>(d_text, n, 26 - 3);
    GPU(cudaMemcpy(back, d_text, n, cudaMemcpyDeviceToHost));
    GPU(cudaFree(d_text));
    GPU(cudaFree(d_letters));

    int total = 0, wrong = strcmp(plain, back) != 0;
    for (int i = 0; i < n; ++i) {
        const char c = plain[i];
        char want = c;
        if (c >= 'a' && c <= 'z') want = 'a' + (c - 'a' + 3) % 26;
        if (c >= 'A' && c <= 'Z') want = 'A' + (c - 'A' + 3) % 26;
        wrong += secret[i] != want;
    }
    for (int k = 0; k < 26; ++k) total += letters[k];
    printf("%s\n%s\n%d letters, the most common %d times\n", secret, back, total, letters['o' + 3 - 'a']);
    printf("%s\n", wrong ? "FAIL" : "PASS");
    return wrong ? EXIT_FAILURE : EXIT_SUCCESS;
}
