int main = 3;
